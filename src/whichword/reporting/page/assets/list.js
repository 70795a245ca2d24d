// A list of any length of which only the rows in sight exist.

const SPARE = 6; // rows above and below, so that a flick finds something

class VirtualList {
  constructor(root, height, draw) {
    this.root = root;
    this.height = height;
    this.draw = draw;
    this.rows = [];
    this.drawn = new Map(); // place -> element
    this.body = el("div", { class: "rows" });
    this.asked = false;
    root.replaceChildren(this.body);
    root.addEventListener("scroll", () => this.soon(), { passive: true });
    new ResizeObserver(() => this.soon()).observe(root);
  }

  fill(rows) {
    this.rows = rows;
    this.body.style.height = `${rows.length * this.height}px`;
    this.again();
  }

  /** Draw all rows in sight anew: what they show has changed. */
  again() {
    this.body.replaceChildren();
    this.drawn.clear();
    this.now();
  }

  soon() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => this.now());
  }

  now() {
    this.asked = false;
    const { scrollTop, clientHeight } = this.root;
    const first = Math.max(0, Math.floor(scrollTop / this.height) - SPARE);
    const last = Math.min(this.rows.length, Math.ceil((scrollTop + clientHeight) / this.height) + SPARE);
    for (const [place, node] of this.drawn) {
      if (place < first || place >= last) this.drop(place, node);
    }
    for (let place = first; place < last; place++) this.drawn.has(place) || this.put(place);
  }

  put(place) {
    const node = this.draw(this.rows[place], place);
    node.style.top = `${place * this.height}px`;
    this.drawn.set(place, node);
    this.body.append(node);
  }

  drop(place, node) {
    if (node === document.activeElement) this.root.focus({ preventScroll: true }); // keys go on from here
    node.remove();
    this.drawn.delete(place);
  }

  /** Scroll as little as it takes to see a place. */
  reveal(place) {
    const top = place * this.height;
    const bottom = top + this.height - this.root.clientHeight;
    if (this.root.scrollTop > top) this.root.scrollTop = top;
    else if (this.root.scrollTop < bottom) this.root.scrollTop = bottom;
  }
}
