/**
 * Every command in the documents is run by a test, or says that it needs an account. A row below names the test that
 * runs the command, and what of it stands there: one that is not found any more is a row that lies.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../infra/bundling.ts';

const read = (path: string): string => readFileSync(join(PROJECT_ROOT, path), 'utf8');

const DOCUMENTS = ['*.md', 'docs/**/*.md', 'examples/**/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: PROJECT_ROOT }),
);

/** The first word of what a reader types into a shell. */
const COMMAND =
  /^(?:npm|npx|node|leaseboard|aws|curl|lb|git|source|echo|claude|codex|docker|cdk|sam|terraform)\s/;
const NEEDS_ACCOUNT = /# \(account\)/;
/** Programs of others, which are not there to be run. */
const OF_OTHERS = /^(?:claude|codex) mcp add /;

/** How a command begins, the test that runs it, and where in that test. */
const RUN_BY: readonly (readonly [command: RegExp, file: string, there: string])[] = [
  [/^npm ci && npm start$/, 'test/readme/readme.test.ts', "'local/start.ts'"],
  [/^npm ci(?: && npm test)?$/, '.ci/run', 'npm ci'],
  [/^npm run synth/, 'test/infra/bundles.slow.test.ts', "['synth', '--quiet'"],
  [/^npm run licences/, 'test/infra/licences.test.ts', "'run', '--silent', 'licences'"],
  [/^npm run demo /, 'test/demo/end-to-end.slow.test.ts', "'demo/run.ts'"],
  [/^leaseboard board create /, 'test/cli/newcomer.slow.test.ts', "'board create'"],
  [/^leaseboard import /, 'test/cli/newcomer.slow.test.ts', "'import backlog.jsonl'"],
  [/^leaseboard card run .*--until-empty/, 'test/cli/card-run.test.ts', '--until-empty'],
  [/^leaseboard card run .*--forever/, 'test/cli/newcomer.slow.test.ts', "'card run'"],
  [/^leaseboard watch /, 'test/cli/newcomer.slow.test.ts', "'watch --board'"],
  [/^leaseboard card list /, 'test/cli/newcomer.slow.test.ts', "'card list'"],
  [/^leaseboard card redrive /, 'test/cli/newcomer.slow.test.ts', "'card redrive'"],
  [/^leaseboard column redrive /, 'test/cli/commands.test.ts', 'column redrive'],
  [/^source <\(leaseboard completion bash\)/, 'test/cli/completion.test.ts', 'completion bash'],
  [/^(?:source <\()?leaseboard completion (?:zsh|fish)/, 'test/cli/shells.slow.test.ts', 'completion'],
  [/^node examples\/patterns\/run\.ts/, 'test/examples/patterns.slow.test.ts', 'patterns'],
  [/^curl .*\/attachments/, 'test/attachments/http.test.ts', 'upload_url'],
  [/^curl -X PUT .*\$UPLOAD_URL/, 'test/attachments/attachments.test.ts', 'upload_url'],
  [/^leaseboard board export /, 'test/cli/board-file.test.ts', "'board export newsroom'"],
  [/^leaseboard board import /, 'test/cli/board-file.test.ts', 'copy --create'],
  [/^curl .*\/export/, 'test/http/transfer.test.ts', 'accept: NDJSON'],
  [/^curl .*\/import/, 'test/http/transfer.test.ts', "'content-type': NDJSON"],
  [/^curl .*ADMIN_TOKEN/, 'test/http/token-upkeep.test.ts', "'/v1/tokens'"],
];

/** Lines of the fences that hold commands, in order; those that a shell joins are one. */
function commandsIn(path: string): string[] {
  // Text, what the fence is marked with, what is in it, the mark of its end, which is none; and so on.
  const parts = read(path).split(/^```(.*)$/m);
  return parts
    .filter((_, at) => at % 4 === 2 && ['', 'sh'].includes(parts[at - 1] ?? ''))
    .flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
    .filter((line) => COMMAND.test(line));
}

/** The shell blocks of the README are run to the letter, by its own test. */
const ofReadme = (path: string, line: string): boolean => path === 'README.md' && line.startsWith('lb ');

const commands = DOCUMENTS.flatMap((path) =>
  commandsIn(path)
    .filter((line) => !ofReadme(path, line))
    .map((line) => [path, line] as const),
);

describe('the commands in the documents', () => {
  test('are found', () => {
    expect(DOCUMENTS).toContain('docs/deploying.md');
    expect(commands.length).toBeGreaterThan(30);
  });

  test.each(commands)('%s: %s', (_, line) => {
    const rows = RUN_BY.filter(([command]) => command.test(line.replace(/\s+#.*$/, '')));
    expect(NEEDS_ACCOUNT.test(line) || OF_OTHERS.test(line) || rows.length > 0).toBe(true);
  });

  test.each(RUN_BY.map(([command, file, there]) => [String(command), file, there] as const))(
    '%s is run by %s',
    (pattern, file, there) => {
      expect(read(file)).toContain(there);
      expect(commands.some(([, line]) => new RegExp(pattern.slice(1, -1)).test(line))).toBe(true);
    },
  );

  test('of AWS and the CDK all say that they need an account, where they are not run here', () => {
    const unmarked = commands.filter(([, line]) => /\b(?:aws|cdk) /.test(line) && !NEEDS_ACCOUNT.test(line));
    expect(unmarked).toEqual([]);
  });
});
