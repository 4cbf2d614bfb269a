/**
 * Lets roles of IAM call the API, signed by AWS (SigV4) under `/aws`: gives the role the permission to call, and
 * registers it with Leaseboard under the scope that goes with it. No secret is involved.
 */
import { Lazy, Names, Stack, Validations, type CfnElement } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { PolicyStatement, type IGrantable, type IRole } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Board } from './board.ts';
import { Scope } from './scope.ts';
import type { Setup } from './setup.ts';
import { shownArn } from './shown-arn.ts';

export interface GrantOptions {
  /**
   * The one board that the role may know of.
   * @default - all boards
   */
  readonly board?: Board;
  /**
   * The agent that the role is; all its sessions are that one.
   * @default - each session names itself, with the header `X-Agent`
   */
  readonly agent?: string;
  /**
   * Requests that the role may send in a minute, all its sessions together. Counting costs a write per request.
   * @default - no limit
   */
  readonly requestsPerMinute?: number;
}

interface Registered {
  scope: Scope;
  readonly options: GrantOptions;
}

const WIDTH = [Scope.WORKER, Scope.MEMBER, Scope.ADMIN];

/** What each grant may call: a method and a path, either of them any. */
const CALLS = {
  work: ['*/aws/v1/*', '*/aws/mcp'],
  produce: ['GET/aws/v1/*', 'POST/aws/v1/boards/*/cards*', 'POST/aws/v1/boards/*/graphs*'],
  read: ['GET/aws/v1/*'],
  admin: ['*/aws/v1/*', '*/aws/mcp'],
} as const;

export class LeaseboardGrants extends Construct {
  private readonly api: HttpApi;
  private readonly setup: Setup;
  private readonly registered = new Map<IRole, Registered>();

  constructor(scope: Construct, id: string, api: HttpApi, setup: Setup) {
    super(scope, id);
    this.api = api;
    this.setup = setup;
  }

  /** Claim, work and complete cards, and all else that a worker may, over HTTP and MCP. */
  work(grantee: IGrantable, options: GrantOptions = {}): void {
    this.grant(roleOf(grantee), 'work', Scope.WORKER, options);
  }

  /** Make cards and graphs, and read. */
  produce(grantee: IGrantable, options: GrantOptions = {}): void {
    this.grant(roleOf(grantee), 'produce', Scope.WORKER, options);
  }

  /** Read boards and cards. */
  read(grantee: IGrantable, options: GrantOptions = {}): void {
    this.grant(roleOf(grantee), 'read', Scope.WORKER, options);
  }

  /** Everything. */
  admin(grantee: IGrantable, options: GrantOptions = {}): void {
    this.grant(roleOf(grantee), 'admin', Scope.ADMIN, options);
  }

  private grant(role: IRole, grant: keyof typeof CALLS, scope: Scope, options: GrantOptions): void {
    const resources = CALLS[grant].map((call) => this.arnOf(call));
    role.addToPrincipalPolicy(new PolicyStatement({ actions: ['execute-api:Invoke'], resources }));
    // As the rule's finding has it in this stack. In another one it names the API as that is told of it.
    for (const call of CALLS[grant]) {
      Validations.of(role).acknowledge({
        id: `AwsSolutions::AwsSolutions-IAM5[Resource::${this.shownArnOf(call)}]`,
        reason: 'Boards and cards are made at run time: what the role may do with each is its scope to say.',
      });
    }
    this.register(role, scope, options);
  }

  /**
   * Once for each role: of several grants the widest scope counts, and the options of the first. In the role's own
   * stack, which knows this one for the address of the API: the other way round, each would need the other first.
   */
  private register(role: IRole, scope: Scope, options: GrantOptions): void {
    const before = this.registered.get(role);
    if (before !== undefined) {
      if (WIDTH.indexOf(scope) > WIDTH.indexOf(before.scope)) before.scope = scope;
      return;
    }
    const entry: Registered = { scope, options };
    this.registered.set(role, entry);
    const id = Names.nodeUniqueId(this.node) + Names.nodeUniqueId(role.node);
    const resource = this.setup.apply(Stack.of(role), id, 'role', {
      role_arn: role.roleArn,
      scopes: Lazy.list({ produce: () => [entry.scope.name] }),
      ...(options.board === undefined ? {} : { board_id: options.board.boardId }),
      ...(options.agent === undefined ? {} : { agent: options.agent }),
      ...(options.requestsPerMinute === undefined ? {} : { requests_per_minute: options.requestsPerMinute }),
    });
    if (options.board !== undefined) resource.node.addDependency(options.board.resource);
  }

  private shownArnOf(call: string): string {
    const id = Stack.of(this).getLogicalId(this.api.node.defaultChild as CfnElement);
    return shownArn(this, 'execute-api', `<${id}>/$default/${call}`);
  }

  private arnOf(call: string): string {
    return `${this.api.arnForExecuteApi('*', '/x', '$default').replace(/\/\*\/x$/, '')}/${call}`;
  }
}

/** @throws Error for a grantee that acts in no role, and whose calls could therefore not be told from others'. */
function roleOf(grantee: IGrantable): IRole {
  const principal = grantee.grantPrincipal;
  if ('roleArn' in principal && 'addToPrincipalPolicy' in principal) return principal as IRole;
  throw new Error(
    'Leaseboard knows callers by their role: grant to a role, or to what acts in one, as a function.',
  );
}
