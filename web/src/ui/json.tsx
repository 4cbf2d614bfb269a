/** A JSON value, indented, as text. */
export function Json({ value }: { readonly value: unknown }) {
  return (
    <pre class="json" tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}
