/** Synthesizes the stack as `cdk synth` would, without bundling: templates are what these tests read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { CfnResource } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { FunctionName } from '../../../functions/manifest.ts';
import { PROJECT_ROOT } from '../../../infra/bundling.ts';
import { LeaseboardStack, type LeaseboardStackProps } from '../../../infra/stack.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** The feature flags decide what is synthesized, so the tests take them from where the CLI does. */
const { context: CLI_CONTEXT } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'cdk.json'), 'utf8')) as {
  context: Record<string, unknown>;
};

export function createApp(): App {
  return new App({ context: { ...CLI_CONTEXT, 'aws:cdk:bundling-stacks': [] } });
}

/** A synthesized stack, with the means to find in its template what the constructs became. */
export class Synthesized {
  readonly stack: LeaseboardStack;
  readonly template: Template;
  readonly resources: ReadonlyMap<string, Resource>;

  constructor(
    props: LeaseboardStackProps = {},
    stack: LeaseboardStack = new LeaseboardStack(createApp(), 'Leaseboard', props),
  ) {
    this.stack = stack;
    this.template = Template.fromStack(this.stack);
    const { Resources } = this.template.toJSON() as { Resources: Record<string, Resource> };
    this.resources = new Map(Object.entries(Resources));
  }

  ofType(type: string): [logicalId: string, resource: Resource][] {
    return [...this.resources].filter(([, resource]) => resource.Type === type);
  }

  only(type: string): Resource {
    const [first, ...others] = this.ofType(type);
    if (first === undefined || others.length > 0) throw new Error(`expected one ${type} in the template`);
    return first[1];
  }

  logicalId(construct: IConstruct): string {
    return this.logicalIdOf(construct.node.defaultChild as CfnResource);
  }

  logicalIdOf(resource: CfnResource): string {
    return this.stack.getLogicalId(resource);
  }

  functionResource(name: FunctionName): Resource {
    const id = this.logicalId(this.stack.leaseboard.functions[name]);
    const resource = this.resources.get(id);
    if (resource === undefined) throw new Error(`the template has no function ${name}`);
    return resource;
  }
}

/** A template value as text: `{Ref: X}` is `X`, `{Fn::GetAtt: [X, Arn]}` is `X.Arn`, a join is its parts in a row. */
export function render(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if ('Ref' in value) return String(value.Ref);
  if ('Fn::GetAtt' in value) return (value['Fn::GetAtt'] as string[]).join('.');
  if ('Fn::Join' in value) {
    const [separator, parts] = value['Fn::Join'] as [string, unknown[]];
    return parts.map(render).join(separator);
  }
  return JSON.stringify(value);
}
