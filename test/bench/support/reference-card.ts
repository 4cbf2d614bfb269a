/** The card that the budgets are stated for. */

/** Body of POST B/cards: title 60 bytes, body 4,096, properties 100, two labels. */
export const REFERENCE_CARD = {
  title: 'A reference card whose title has some sixty bytes of text...',
  body: 'x'.repeat(4_096),
  properties: { source: 'bench', text: 'x'.repeat(70) },
  labels: ['bench', 'reference'],
};
