import { describe, expect, it } from 'vitest';
import { parseContract } from '../../shared/contract/parse-contract.ts';

/** As product documentation lists them; written out, so that a changed default is a changed test. */
const DEFAULTS = {
  enabled: false,
  lease_ttl_seconds: 120,
  max_attempts: 5,
  backoff_seconds: [60, 300, 900, 3600, 21600],
  backoff_jitter: 0.5,
  max_runtime_seconds: null,
  concurrency_limit: null,
  on_success_column_id: null,
  on_failure_column_id: null,
  input_schema: null,
  output_schema: null,
  exclude_previous_holder: false,
  block_recurrence_limit: 2,
  changes_reserved_seconds: 86400,
  aging_seconds: null,
  max_per_assignee: null,
  shards: 1,
  metrics: false,
};

const FULL = {
  enabled: true,
  lease_ttl_seconds: 30,
  max_attempts: 1,
  backoff_seconds: [0],
  backoff_jitter: 0.25,
  max_runtime_seconds: 600,
  concurrency_limit: 20,
  on_success_column_id: 'col_done',
  on_failure_column_id: 'col_dead',
  input_schema: { required: ['url'] },
  output_schema: false,
  exclude_previous_holder: true,
  block_recurrence_limit: 3,
  changes_reserved_seconds: 0,
  aging_seconds: 60,
  max_per_assignee: 2,
  shards: 8,
  metrics: true,
};

function paths(body: unknown): string[] {
  const parsed = parseContract(body);
  return parsed.ok ? [] : parsed.errors.map(({ path }) => path);
}

describe('A contract', () => {
  it('that says nothing is the defaults', () => {
    expect(parseContract({})).toEqual({ ok: true, contract: DEFAULTS });
  });

  it.each([
    ['the defaults', DEFAULTS],
    ['every field', FULL],
  ])('with %s is answered as it was put', (_name, contract) => {
    expect(parseContract(contract)).toEqual({ ok: true, contract });
  });

  it('shares nothing with the next one that takes its defaults', () => {
    const [first, second] = [parseContract({}), parseContract({})];
    expect(first.ok && second.ok && first.contract.backoff_seconds === second.contract.backoff_seconds).toBe(
      false,
    );
  });

  it('is one step of wait or twenty', () => {
    expect(paths({ backoff_seconds: Array.from({ length: 20 }, () => 604_800) })).toEqual([]);
    expect(paths({ backoff_seconds: Array.from({ length: 21 }, () => 1) })).toEqual(['/backoff_seconds']);
    expect(paths({ backoff_seconds: [] })).toEqual(['/backoff_seconds']);
  });
});

describe('A number at its bounds is accepted, and one beyond refused by name:', () => {
  it.each([
    ['lease_ttl_seconds', 5, 43_200],
    ['max_attempts', 1, 100],
    ['max_runtime_seconds', 1, 2_592_000],
    ['concurrency_limit', 1, 1_000],
    ['block_recurrence_limit', 1, 20],
    ['changes_reserved_seconds', 0, 2_592_000],
    ['aging_seconds', 1, 2_592_000],
    ['max_per_assignee', 1, 1_000],
    ['shards', 1, 64],
  ])('%s from %d to %d', (field, least, most) => {
    expect(paths({ [field]: least })).toEqual([]);
    expect(paths({ [field]: most })).toEqual([]);
    for (const wrong of [least - 1, most + 1, least + 0.5, String(least), [least], true, Infinity]) {
      expect(paths({ [field]: wrong })).toEqual([`/${field}`]);
    }
  });

  it('backoff_seconds from 0 to 604,800, at the place of the fault', () => {
    expect(paths({ backoff_seconds: [0, 604_800] })).toEqual([]);
    expect(paths({ backoff_seconds: [1, 2, 3, -1, 604_801, 0.5, null] })).toEqual(
      [3, 4, 5, 6].map((n) => `/backoff_seconds/${n}`),
    );
  });

  it('backoff_jitter from 0 to 1, fractions included', () => {
    expect([0, 0.37, 1].flatMap((backoff_jitter) => paths({ backoff_jitter }))).toEqual([]);
    expect([-0.01, 1.01, '0', null].flatMap((backoff_jitter) => paths({ backoff_jitter }))).toEqual(
      Array.from({ length: 4 }, () => '/backoff_jitter'),
    );
  });
});

describe('null', () => {
  it.each(Object.entries(DEFAULTS))('is allowed for %s only if that is its default', (field, normal) => {
    expect(paths({ [field]: null })).toEqual(normal === null ? [] : [`/${field}`]);
  });
});

describe('A contract is refused', () => {
  it.each([
    ['null', null],
    ['a list', []],
    ['a number', 5],
    ['a text', '{}'],
    ['nothing', undefined],
  ])('that is %s', (_name, body) => {
    expect(parseContract(body)).toEqual({
      ok: false,
      errors: [{ path: '', message: 'must be an object with the fields of a contract' }],
    });
  });

  it.each(['lease_ttl', 'leaseTtlSeconds', 'a/b', 'constructor', '__proto__'])(
    'for the unknown field %s, by its name',
    (field) => {
      const body = JSON.parse(`{"enabled":true,${JSON.stringify(field)}:1}`);
      expect(parseContract(body)).toEqual({
        ok: false,
        errors: [{ path: `/${field.replace('/', '~1')}`, message: 'is not a field of a contract' }],
      });
    },
  );

  it('for a flag that is a number, and an id that is none', () => {
    expect(paths({ enabled: 1, exclude_previous_holder: 'true' })).toEqual([
      '/enabled',
      '/exclude_previous_holder',
    ]);
    expect(paths({ on_success_column_id: '', on_failure_column_id: 'c'.repeat(65) })).toEqual([
      '/on_success_column_id',
      '/on_failure_column_id',
    ]);
  });

  it('for its schemas, at the place of the fault in the body', () => {
    expect(
      paths({ input_schema: { properties: { url: { pattern: '(?=x)' } } }, output_schema: 'none' }),
    ).toEqual(['/input_schema/properties/url/pattern', '/output_schema']);
  });

  it('for everything that is wrong with it at once, and says what would be right', () => {
    expect(parseContract({ shards: 65, typo: 1, output_schema: { $ref: '#/$defs/a' } })).toEqual({
      ok: false,
      errors: [
        { path: '/shards', message: 'must be a whole number from 1 to 64' },
        { path: '/typo', message: 'is not a field of a contract' },
        { path: '/output_schema/$ref', message: 'does not point at a subschema' },
      ],
    });
  });
});
