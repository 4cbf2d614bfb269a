/** What the documents for a deployer say, held against what there is. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ALARMS } from '../../infra/alarms.ts';
import { PROJECT_ROOT } from '../../infra/bundling.ts';
import { Synthesized } from './support/synth.ts';

const read = (path: string): string => readFileSync(join(PROJECT_ROOT, path), 'utf8');

describe('SECURITY.md', () => {
  const rows = [...read('SECURITY.md').matchAll(/^\|.*\| `(test\/[^`]+)`: (.+) \|$/gm)];
  const attacks = read('SECURITY.md').split('## Attacks')[1]?.split('## What is not defended')[0] ?? '';

  test('names a test for every attack', () => {
    const listed = attacks.split('\n').filter((line) => /^\| (?!-|attack )/.test(line));
    expect(rows.length).toBeGreaterThan(30);
    expect(listed.length).toBe(rows.length);
  });

  test.each(rows.map(([, file = '', name = '']) => [file, name.trim()]))(
    '%s has the test: %s',
    (file, name) => {
      expect(read(file)).toContain(name);
    },
  );
});

describe('the runbooks', () => {
  const synthesized = new Synthesized();

  test('are there for every alarm, each of which names its own', () => {
    const named = synthesized
      .ofType('AWS::CloudWatch::Alarm')
      .map(
        ([, alarm]) => /docs\/runbooks\/[\w-]+\.md/.exec(String(alarm.Properties['AlarmDescription']))?.[0],
      );

    expect(named.length).toBeGreaterThan(Object.keys(ALARMS).length);
    for (const page of named) expect(existsSync(join(PROJECT_ROOT, page ?? 'no page'))).toBe(true);
  });
});

describe('docs/deploying.md', () => {
  test('names outputs and properties that there are', () => {
    const text = read('docs/deploying.md');
    const stack = read('infra/stack.ts') + read('infra/app.ts');
    const props = read('infra/leaseboard-props.ts');
    const outputs = text.split('| output |')[1]?.split('\n\n')[0] ?? '';
    const properties = text.split('| property |')[1]?.split('\n\n')[0] ?? '';

    for (const [, output] of outputs.matchAll(/`([A-Z]\w+)`/g)) expect(stack).toContain(`'${output}'`);
    for (const row of properties.split('\n').slice(2)) {
      for (const [, property] of (row.split('|')[1] ?? '').matchAll(/`(\w+)`/g))
        expect(props).toContain(`${property}?:`);
    }
  });
});
