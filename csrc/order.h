/* Crops of documents, put in the order in which runs.h reads them. */

/* Crop i is words start[i] .. stop[i] - 1 of document row[i], of at most T words. Those with one row and start are one
 * run; the longest runs come first, among equals in order of row and start. Of ``runs`` runs, run r is read from
 * begin[r] of document document[r], and has crops offset[r] .. offset[r+1] - 1, in order of their stops: end and slot
 * say where each stops, and which crop it was. The first ``runs`` numbers of document and begin, and one more of offset,
 * are written. */
int nested_f64(
    int64_t n, int64_t B, int64_t T, const int64_t *row, const int64_t *start, const int64_t *stop, int64_t *runs,
    int64_t *document, int64_t *begin, int64_t *offset, int64_t *end, int64_t *slot) {
    const int64_t names = B * (T + 1); /* a row and a start */
    int64_t *space = calloc(2 * names + 2 * (T + 2) + n, sizeof(int64_t));
    if (!space) return 1;
    int64_t *longest = space, *next = longest + names, *before = next + names, *ending = before + T + 2;
    int64_t *by_stop = ending + T + 2, number = 0;
#define NAME_OF(i) (row[i] * (T + 1) + start[i])
    for (int64_t i = 0; i < n; i++) {
        const int64_t name = NAME_OF(i), size = stop[i] - start[i];
        if (size > longest[name]) longest[name] = size;
        next[name]++;
        ending[stop[i] + 1]++;
    }
    for (int64_t t = 0; t <= T; t++) ending[t + 1] += ending[t];
    for (int64_t i = 0; i < n; i++) by_stop[ending[stop[i]]++] = i;
    for (int64_t name = 0; name < names; name++)
        if (next[name]) before[longest[name]]++, number++;
    for (int64_t size = T, first = 0; size >= 0; size--) { /* from how many there are of a length to its first place */
        const int64_t many = before[size];
        before[size] = first, first += many;
    }
    for (int64_t name = 0; name < names; name++)
        if (next[name]) {
            const int64_t r = before[longest[name]]++;
            document[r] = name / (T + 1), begin[r] = name % (T + 1), offset[r + 1] = next[name];
        }
    offset[0] = 0;
    for (int64_t r = 0; r < number; r++) {
        next[document[r] * (T + 1) + begin[r]] = offset[r];
        offset[r + 1] += offset[r];
    }
    for (int64_t k = 0; k < n; k++) {
        const int64_t i = by_stop[k], place = next[NAME_OF(i)]++;
        end[place] = stop[i], slot[place] = i;
    }
#undef NAME_OF
    *runs = number;
    free(space);
    return 0;
}
