/** A stack of a deployer's own with a Leaseboard in it, and what its setup function is told. */
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Leaseboard, type LeaseboardProps } from '../../../infra/index.ts';
import { createApp, render } from './synth.ts';

interface CustomCode {
  readonly Properties: { readonly Kind: string; readonly Code: unknown };
}

export function build(props: LeaseboardProps = {}): { stack: Stack; leaseboard: Leaseboard } {
  const stack = new Stack(createApp(), 'Own');
  return { stack, leaseboard: new Leaseboard(stack, 'Leaseboard', props) };
}

/** What the setup function is told of one kind, each as the text that CloudFormation hands it. */
export function codesOf(stack: Stack, kind: string): string[] {
  const { Resources } = Template.fromStack(stack).toJSON() as { Resources: Record<string, CustomCode> };
  return Object.values(Resources)
    .filter(({ Properties }) => Properties?.Kind === kind)
    .map(({ Properties }) => render(Properties.Code));
}
