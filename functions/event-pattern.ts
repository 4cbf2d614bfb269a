/** Event patterns in EventBridge's notation, as far as the manifest uses it. */

/** A value matches when any one of a field's matchers takes it. */
export type Matcher =
  | string
  | { readonly prefix: string }
  /** Whether the field is there at all. */
  | { readonly exists: boolean }
  /** Takes every value but these; a field that is not there has none. */
  | { readonly 'anything-but': readonly string[] };

/** Every field that is named has to match. */
export interface EventPattern {
  readonly [field: string]: EventPattern | readonly Matcher[];
}
