// A list of any length of which only the rows in sight exist.

class VirtualList {
  constructor(root, height, draw) {
    this.root = root;
    this.height = height;
    this.draw = draw;
    this.rows = [];
    this.body = el("div", { class: "rows" });
    this.asked = false;
    root.replaceChildren(this.body);
    root.addEventListener("scroll", () => this.soon(), { passive: true });
    new ResizeObserver(() => this.soon()).observe(root);
  }

  fill(rows) {
    this.rows = rows;
    this.body.style.height = `${rows.length * this.height}px`;
    this.now();
  }

  soon() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => this.now());
  }

  now() {
    this.asked = false;
    const first = Math.max(0, Math.floor(this.root.scrollTop / this.height) - 4);
    const last = Math.min(this.rows.length, Math.ceil((this.root.scrollTop + this.root.clientHeight) / this.height) + 4);
    const drawn = [];
    for (let place = first; place < last; place++) {
      const node = this.draw(this.rows[place], place);
      node.style.transform = `translateY(${place * this.height}px)`;
      drawn.push(node);
    }
    this.body.replaceChildren(...drawn);
  }

  /** Scroll as little as it takes to see a place. */
  reveal(place) {
    const top = place * this.height;
    const bottom = top + this.height - this.root.clientHeight;
    if (this.root.scrollTop > top) this.root.scrollTop = top;
    else if (this.root.scrollTop < bottom) this.root.scrollTop = bottom;
  }
}
