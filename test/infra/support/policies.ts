/** What the roles of a template may do, as flat text. */
import { render, type Resource, type Synthesized } from './synth.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

const PERMISSION_TYPES = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy', 'AWS::IAM::Role'];

/** Every `action resource` pair that a role's own policies allow, sorted. */
export function allowedTo(synthesized: Synthesized, roleId: string): string[] {
  return synthesized
    .ofType('AWS::IAM::Policy')
    .filter(([, policy]) => (policy.Properties['Roles'] as unknown[]).map(render).includes(roleId))
    .flatMap(([, policy]) => statementsOf(policy).flatMap(pairs))
    .toSorted();
}

/** Every statement that allows something, of whatever kind of resource it hangs on. */
export function allowStatements(synthesized: Synthesized): Statement[] {
  return [...synthesized.resources.values()]
    .filter((resource) => PERMISSION_TYPES.includes(resource.Type))
    .flatMap(statementsOf)
    .filter((statement) => statement.Effect === 'Allow');
}

/** The document of a queue's own policy. */
export function queuePolicyOf(synthesized: Synthesized, queueId: string): unknown {
  const [, policy] =
    synthesized
      .ofType('AWS::SQS::QueuePolicy')
      .find(([, { Properties }]) => (Properties['Queues'] as unknown[]).map(render).includes(queueId)) ?? [];
  return policy?.Properties['PolicyDocument'];
}

export function actionsOf(statement: Statement): readonly string[] {
  return typeof statement.Action === 'string' ? [statement.Action] : statement.Action;
}

export function resourcesOf(statement: Statement): string[] {
  return (Array.isArray(statement.Resource) ? statement.Resource : [statement.Resource]).map(render);
}

function pairs(statement: Statement): string[] {
  return actionsOf(statement).flatMap((action) =>
    resourcesOf(statement).map((target) => `${statement.Effect} ${action} ${target}`),
  );
}

function statementsOf(resource: Resource): Statement[] {
  const inline = (resource.Properties['Policies'] ?? []) as { PolicyDocument: { Statement: Statement[] } }[];
  const own = resource.Properties['PolicyDocument'] as { Statement: Statement[] } | undefined;
  return [...inline.flatMap((policy) => policy.PolicyDocument.Statement), ...(own?.Statement ?? [])];
}
