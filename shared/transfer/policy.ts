/** Every number of exports and imports: its name, its unit, its reason. */

/** A page of an export ends once it has so many bytes: with one more row it is still a request that an import takes. */
export const EXPORT_BYTES = 600_000;
/** Parents in one row: a container may have more sub-cards than a row should name. */
export const LINKS_PER_ROW = 500;
/** Links that one import makes: each is two items, and a look at what waits. A page of an export has fewer. */
export const IMPORT_LINKS = 1_000;
/** Links that are written together: two items each, and the board's link version, in one transaction. */
export const LINKS_PER_WRITE = 40;
/** Of counters that go on counting from what a row says: no card comes near it, and all keys have the digits. */
export const COUNTER_MAX = 99_999_999;
/** Far past what re-spacing leaves: a rank becomes part of a key. */
export const RANK_CHARACTERS = 128;
