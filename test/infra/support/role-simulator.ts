/**
 * What IAM would answer a function of the synthesized stack: the policies of its role, as the template has them,
 * with every reference put to one fixed account.
 */
import { runSimulation } from '@cloud-copilot/iam-simulate';
import type { FunctionName } from '../../../functions/manifest.ts';
import type { Need, Target } from './call-recorder.ts';
import { render, type Synthesized } from './synth.ts';

const ACCOUNT = '111111111111';
const REGION = 'us-east-1';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: object;
}

interface Policy {
  readonly name: string;
  readonly policy: { readonly Version: string; readonly Statement: readonly Statement[] };
}

/** One action on one resource that a policy allows. */
export interface Grant {
  readonly action: string;
  readonly resource: string;
}

export class RoleSimulator {
  readonly #synthesized: Synthesized;

  constructor(synthesized: Synthesized) {
    this.#synthesized = synthesized;
  }

  /** Whether IAM lets the function do what a call of its needs. */
  async allows(name: FunctionName, need: Need, policies = this.policiesOf(name)): Promise<boolean> {
    const { overallResult } = await simulate(this.#request(name, need), policies);
    return overallResult === 'Allowed';
  }

  /** Every action on every resource that the function's policies allow. */
  grantsOf(name: FunctionName): Grant[] {
    return this.policiesOf(name).flatMap(({ policy }) =>
      policy.Statement.flatMap(({ Action, Resource }) =>
        listOf(Action).flatMap((action) =>
          listOf(Resource).map((resource) => ({ action: String(action), resource: String(resource) })),
        ),
      ),
    );
  }

  /** The policies of the function's role. */
  policiesOf(name: FunctionName): Policy[] {
    const role = render(this.#synthesized.functionResource(name).Properties['Role']).replace('.Arn', '');
    return this.#synthesized
      .ofType('AWS::IAM::Policy')
      .filter(([, { Properties }]) => listOf(Properties['Roles']).map(render).includes(role))
      .map(([id, { Properties }]) => ({
        name: id,
        policy: this.resolve(Properties['PolicyDocument']) as Policy['policy'],
      }));
  }

  /** The resource that a call is about. */
  arnOf(target: Target): string {
    const { leaseboard } = this.#synthesized.stack;
    const id = (construct: Parameters<Synthesized['logicalId']>[0]) => this.#synthesized.logicalId(construct);
    const table = this.#arn(id(leaseboard.table));
    switch (target) {
      case 'table':
        return table;
      case 'index lanes':
        return `${table}/index/lanes`;
      case 'index by_board':
        return `${table}/index/by_board`;
      case 'event bus':
        return this.#arn(id(leaseboard.eventBus));
      case 'delivery queue':
        return this.#arn(id(leaseboard.deliveries.queue));
      case 'schedule': {
        const group = this.#synthesized.logicalIdOf(leaseboard.deliveries.scheduleGroup);
        return `arn:aws:scheduler:${REGION}:${ACCOUNT}:schedule/${group}/delivery-dlv_1`;
      }
      case 'schedule role':
        return this.#arn(id(leaseboard.deliveries.scheduleRole));
      case 'lease key':
        return this.#arn(id(leaseboard.leaseKeySecret));
      case 'admin token':
        return leaseboard.adminTokenSecret === null ? 'none' : this.#arn(id(leaseboard.adminTokenSecret));
      case 'files':
        return `${this.#arn(id(leaseboard.attachments.bucket))}/brd_1/crd_1/att_1`;
      case 'bucket':
        return this.#arn(id(leaseboard.attachments.bucket));
    }
  }

  /** A value of the template with its references as they would be in the account. */
  resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((part) => this.resolve(part));
    if (typeof value !== 'object' || value === null) return value;
    if ('Ref' in value) return this.#reference(String(value.Ref));
    if ('Fn::GetAtt' in value) {
      const [id = '', attribute = ''] = value['Fn::GetAtt'] as string[];
      return attribute === 'StreamArn' ? `${this.#arn(id)}/stream/2026-01-01T00:00:00.000` : this.#arn(id);
    }
    if ('Fn::Join' in value) {
      const [separator, parts] = value['Fn::Join'] as [string, unknown[]];
      return parts.map((part) => this.resolve(part)).join(separator);
    }
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.resolve(part)]));
  }

  #request(name: FunctionName, { action, target }: Need) {
    const passed: Record<string, string> =
      action === 'iam:PassRole' ? { 'iam:PassedToService': 'scheduler.amazonaws.com' } : {};
    return {
      principal: `arn:aws:iam::${ACCOUNT}:role/${name}`,
      action,
      resource: { resource: this.arnOf(target), accountId: ACCOUNT },
      contextVariables: passed,
    };
  }

  #reference(id: string): string {
    const pseudo: Readonly<Record<string, string>> = {
      'AWS::Partition': 'aws',
      'AWS::Region': REGION,
      'AWS::AccountId': ACCOUNT,
    };
    const type = this.#synthesized.resources.get(id)?.Type;
    return pseudo[id] ?? (type === 'AWS::SecretsManager::Secret' ? this.#arn(id) : id);
  }

  #arn(id: string): string {
    const place = `${REGION}:${ACCOUNT}`;
    switch (this.#synthesized.resources.get(id)?.Type) {
      case 'AWS::DynamoDB::GlobalTable':
        return `arn:aws:dynamodb:${place}:table/${id}`;
      case 'AWS::SQS::Queue':
        return `arn:aws:sqs:${place}:${id}`;
      case 'AWS::Events::EventBus':
        return `arn:aws:events:${place}:event-bus/${id}`;
      case 'AWS::SecretsManager::Secret':
        return `arn:aws:secretsmanager:${place}:secret:${id}-abcdef`;
      case 'AWS::S3::Bucket':
        return `arn:aws:s3:::${id.toLowerCase()}`;
      case 'AWS::IAM::Role':
        return `arn:aws:iam::${ACCOUNT}:role/${id}`;
      case 'AWS::Logs::LogGroup':
        return `arn:aws:logs:${place}:log-group:${id}:*`;
      default:
        throw new Error(`The simulator knows no ARN of ${id}: say what its type's ARNs look like.`);
    }
  }
}

async function simulate(
  request: Parameters<typeof runSimulation>[0]['request'],
  policies: readonly Policy[],
) {
  const answer = await runSimulation(
    {
      request,
      identityPolicies: policies.map(({ name, policy }) => ({ name, policy })),
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  );
  if (answer.resultType === 'error') throw new Error(`The simulation was refused: ${JSON.stringify(answer)}`);
  return answer;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
