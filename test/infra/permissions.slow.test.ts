import { beforeAll, describe, expect, test, vi } from 'vitest';
import { FUNCTIONS, type FunctionName } from '../../functions/manifest.ts';
import type { CallRecorder, Need } from './support/call-recorder.ts';
import { RoleSimulator, type Grant } from './support/role-simulator.ts';
import { Synthesized } from './support/synth.ts';
import { tour, type Toured } from './support/tour.ts';

const NAMES = Object.keys(FUNCTIONS) as FunctionName[];

/** Starts a database and the whole stack, and walks through the product: 15 s on a quiet machine. */
vi.setConfig({ hookTimeout: 180_000 });

/**
 * What AWS itself does with a function's role, outside of the function's code: no call of ours can show that it is
 * needed, and without it the deployment is refused or the function never starts.
 */
const USED_BY_AWS: readonly { readonly grant: RegExp; readonly reason: string }[] = [
  { grant: /^logs:(CreateLogStream|PutLogEvents) /, reason: 'Lambda writes the log' },
  {
    grant: /^dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams) .*\/stream\//,
    reason: 'the event source mapping reads the stream',
  },
  {
    grant: /^sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes) .*DeliveriesQueue/,
    reason: 'the event source mapping reads the queue',
  },
  {
    grant: /^sqs:(SendMessage|GetQueueAttributes|GetQueueUrl) .*(DeadLetters|Failures)/,
    reason: 'Lambda notes what failed',
  },
];

const simulator = new RoleSimulator(new Synthesized());
let toured: Toured;
let recorder: CallRecorder;

beforeAll(async () => {
  toured = await tour();
  ({ recorder } = toured);
});

/** Granted actions that nothing accounts for, as text. */
function unusedGrants(name: FunctionName): string[] {
  const used = recorder.needsOf(name);
  return simulator
    .grantsOf(name)
    .filter((grant) => !used.some((need) => isFor(grant, need)))
    .map(({ action, resource }) => `${action} ${resource}`)
    .filter((grant) => !USED_BY_AWS.some((row) => row.grant.test(grant)));
}

function isFor({ action, resource }: Grant, need: Need): boolean {
  const arn = simulator.arnOf(need.target);
  return (
    action === need.action &&
    (resource.endsWith('*') ? arn.startsWith(resource.slice(0, -1)) : arn === resource)
  );
}

async function refused(
  name: FunctionName,
  needs = recorder.needsOf(name),
  policies = simulator.policiesOf(name),
) {
  const answers = await Promise.all(
    needs.map(async (need) => ({ need, allowed: await simulator.allows(name, need, policies) })),
  );
  return answers.filter(({ allowed }) => !allowed).map(({ need }) => `${need.action} ${need.target}`);
}

describe.each(NAMES)('the role of %s', (name) => {
  test('allows every call that the function makes', async () => {
    expect(recorder.needsOf(name).length).toBeGreaterThan(0);
    expect(await refused(name)).toEqual([]);
  });

  test('allows nothing that no call needs', () => {
    expect(unusedGrants(name)).toEqual([]);
  });

  test('is seen to lack any single permission that is taken from it', async () => {
    for (const need of recorder.needsOf(name)) {
      const without = simulator.policiesOf(name).map(({ name: id, policy }) => ({
        name: id,
        policy: { ...policy, Statement: policy.Statement.map((statement) => withoutGrant(statement, need)) },
      }));
      expect(await refused(name, [need], without)).toEqual([`${need.action} ${need.target}`]);
    }
  });
});

type Statement = ReturnType<typeof simulator.policiesOf>[number]['policy']['Statement'][number];

/** The statement without one action, where it is about the resource that a call is about. */
function withoutGrant(statement: Statement, need: Need): Statement {
  const resources = [statement.Resource].flat().map(String);
  if (!resources.some((resource) => isFor({ action: need.action, resource }, need))) return statement;
  const left = [statement.Action].flat().filter((action) => action !== need.action);
  return { ...statement, Action: left.length > 0 ? left : ['none:Nothing'] };
}

test('a call that the tour never made would be refused: the roles are no wider than that', async () => {
  const never: Need[] = [
    { action: 'dynamodb:DeleteTable', target: 'table' },
    { action: 'dynamodb:Scan', target: 'table' },
    { action: 's3:DeleteBucket', target: 'bucket' },
  ];
  for (const name of NAMES) expect(await refused(name, never)).toHaveLength(never.length);
});

describe('on the whole tour', () => {
  /** The part of a secret that gives it away, should it be cut or encoded. */
  const tell = (secret: string): string => secret.slice(-24);

  test('no line of a log tells a token, a secret or an address that opens a file', () => {
    expect(toured.secrets.size).toBeGreaterThan(8);
    expect(toured.log.length).toBeGreaterThan(30);
    const written = toured.log.join('');
    expect([...toured.secrets].filter((secret) => written.includes(tell(secret)))).toEqual([]);
  });

  test('no event tells one either', () => {
    expect(toured.events).toContain('card.lease.completed');
    expect([...toured.secrets].filter((secret) => toured.events.includes(tell(secret)))).toEqual([]);
  });
});
