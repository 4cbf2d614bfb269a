import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FUNCTIONS, type FunctionName } from '../../functions/manifest.ts';
import {
  HANDLER_BUNDLE,
  HOT_BUNDLE_BUDGET_BYTES,
  HOT_BUNDLE_CEILING_BYTES,
  PROJECT_ROOT,
} from '../../infra/bundling.ts';

const run = promisify(execFile);
const BIN = join(PROJECT_ROOT, 'node_modules', '.bin');

/** Functions that a worker waits for; the others may be larger. */
const HOT: readonly FunctionName[] = ['claim', 'lease'];
const NAMES = Object.keys(FUNCTIONS) as FunctionName[];

/** Bundles every handler in a process of its own: 5 s on a quiet machine, over a minute on a crowded one. */
const SYNTH_TIMEOUT_MS = 300_000;

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KB`;
}

const BUDGET = `, budget ${kilobytes(HOT_BUNDLE_BUDGET_BYTES)}`;

async function bundle(name: FunctionName): Promise<{ code: string; warnings: string[] }> {
  const entry = join(PROJECT_ROOT, FUNCTIONS[name].entry);
  const result = await build({ ...HANDLER_BUNDLE, entryPoints: [entry], write: false, logLevel: 'silent' });
  return {
    code: result.outputFiles[0]?.text ?? '',
    warnings: result.warnings.map((warning) => warning.text),
  };
}

describe('the bundles', () => {
  test.each(NAMES)('of %s builds without a warning', async (name) => {
    const { code, warnings } = await bundle(name);

    expect(warnings).toEqual([]);
    console.log(`bundle ${name}: ${kilobytes(Buffer.byteLength(code))}${HOT.includes(name) ? BUDGET : ''}`);
  });

  test.each(HOT)('of %s does not outgrow what a cold start may cost', async (name) => {
    const { code } = await bundle(name);

    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(HOT_BUNDLE_CEILING_BYTES);
  });

  test('hold the SDK, with credentials from the environment and from nowhere else', async () => {
    const { code } = await bundle('claim');

    expect(code).not.toMatch(/require\("@aws-sdk/);
    expect(code).toContain('AWS_SECRET_ACCESS_KEY');
    expect(code).not.toContain('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI');
  });
});

describe('cdk synth', () => {
  const output = mkdtempSync(join(tmpdir(), 'leaseboard-synth-'));
  let said: { stdout: string; stderr: string };

  beforeAll(async () => {
    // No credentials, no profile, no region: what a fresh checkout without an account has.
    const env = { PATH: `${BIN}:${process.env['PATH']}`, HOME: output, AWS_EC2_METADATA_DISABLED: 'true' };
    const synth = ['synth', '--quiet', '--output', output];
    said = await run(join(BIN, 'cdk'), synth, { cwd: PROJECT_ROOT, env });
    // As in a function's own folder: no package above says otherwise.
    writeFileSync(join(output, 'package.json'), '{"type": "commonjs"}');
  }, SYNTH_TIMEOUT_MS);

  afterAll(() => rmSync(output, { recursive: true }));

  const codeOf = (asset: string): string => readFileSync(join(output, asset, 'index.js'), 'utf8');

  /** The board's files are assets too, and what puts them into their bucket and empties that, which are the CDK's. */
  function handlerAssets(): string[] {
    const assets = readdirSync(output).filter((entry) => entry.startsWith('asset.'));
    const handlers = assets.filter((asset) => existsSync(join(output, asset, 'index.js')));
    return handlers.filter((asset) => !codeOf(asset).includes('aws-cdk:auto-delete-objects'));
  }

  test('needs no account and warns of nothing', () => {
    expect(readdirSync(output)).toContain('Leaseboard.template.json');
    expect(`${said.stdout}${said.stderr}`).not.toMatch(/warn|error|feature flag|notice/i);
  });

  test('bundles each handler to the byte as it is measured here', async () => {
    const measured = await Promise.all(NAMES.map(async (name) => (await bundle(name)).code));
    const deployed = handlerAssets().map(codeOf);

    expect(new Set(deployed)).toEqual(new Set(measured));
  });

  test('makes bundles that Lambda can load', async () => {
    const assets = handlerAssets();
    const env = {
      TABLE_NAME: 'any',
      LEASE_KEY_SECRET_ID: 'any',
      MAX_WAIT_SECONDS: '0',
      EVENT_BUS_NAME: 'any',
      DELIVERY_QUEUE_URL: 'any',
      DELIVERY_QUEUE_ARN: 'any',
      DELIVERY_SCHEDULE_GROUP: 'any',
      DELIVERY_SCHEDULE_ROLE_ARN: 'any',
      WEBHOOK_TARGETS: 'public',
      ATTACHMENTS_URL: 'https://any.s3.us-east-1.amazonaws.com',
      OIDC: 'none',
      ADMIN_TOKEN_SECRET_ID: 'any',
      METRICS_NAMESPACE: 'any',
      TRACE_RATE: '0',
      AWS_REGION: 'us-east-1',
    };
    const exported = await Promise.all(
      assets.map(async (asset) => {
        const load = `console.log(typeof require(${JSON.stringify(join(output, asset, 'index.js'))}).handler)`;
        return (await run(process.execPath, ['--eval', load], { env })).stdout.trim();
      }),
    );

    expect(new Set(exported)).toEqual(new Set(['function']));
  });
});
