import { expect, it } from 'vitest';
import { mentionsIn } from '../../shared/comments/mentions.ts';

it.each([
  ['@ada look at this', ['ada']],
  ['over to you, @bob-2.', ['bob-2']],
  ['(@ada, @bob: @ada!)', ['ada', 'bob']],
  ['@team/reviewer@host and @a.b:c', ['team/reviewer@host', 'a.b:c']],
  ['mail me@example.com or a/@b', []],
  ['nobody @ all, @@ada', []],
  ['**@ada**', ['ada']],
])('of %j the names are %j', (text, names) => {
  expect(mentionsIn(text)).toEqual(names);
});

it('names within code are nobody', () => {
  const text = [
    'Add `@Override` and ``x ` @Inject``, @ada',
    '```java',
    '@Test void runs() {}',
    '~~~ not the end',
    '```',
    'then @bob; a lone ` does no harm, @carl',
    '    ~~~~',
    '~~~~',
    '@angular/core',
  ].join('\n');
  expect(mentionsIn(text)).toEqual(['ada', 'bob', 'carl']);
});

it('fifty names are enough, and a name has 128 characters at most', () => {
  const many = Array.from({ length: 60 }, (_, at) => `@n${at}`).join(' ');
  expect(mentionsIn(many)).toHaveLength(50);
  expect(mentionsIn(`@${'x'.repeat(200)}`)).toEqual(['x'.repeat(128)]);
});

it('is quick on the longest comment, whatever it is made of', () => {
  for (const piece of ['`', '` ', '`` ` ', '@', '@a', '```\n', '@a.', '~~~\n```\n']) {
    const began = performance.now();
    mentionsIn(piece.repeat(65_536 / piece.length));
    expect(performance.now() - began, piece).toBeLessThan(1_000);
  }
});
