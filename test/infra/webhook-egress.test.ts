import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { LeaseboardStack } from '../../infra/stack.ts';
import { Synthesized, createApp, render } from './support/synth.ts';

describe('webhooks from a fixed address', () => {
  const synthesized = new Synthesized({ webhookEgress: { natEip: true } });

  test('leave through one NAT gateway with an address that stays, which the deployer is told', () => {
    const [[eip] = ['']] = synthesized.ofType('AWS::EC2::EIP');
    expect(synthesized.only('AWS::EC2::NatGateway').Properties['AllocationId']).toEqual({
      'Fn::GetAtt': [eip, 'AllocationId'],
    });
    const { Outputs } = synthesized.template.toJSON() as { Outputs: Record<string, { Value: unknown }> };
    expect(render(Outputs['WebhookAddress']?.Value)).toBe(`${eip}.PublicIp`);
  });

  test('are the only thing in that network, into which nothing comes', () => {
    const inNetwork = synthesized
      .ofType('AWS::Lambda::Function')
      .filter(([, { Properties }]) => Properties['VpcConfig'] !== undefined)
      .map(([id]) => id);
    expect(inNetwork).toEqual([synthesized.logicalId(synthesized.stack.leaseboard.functions.sender)]);
    expect(synthesized.only('AWS::EC2::SecurityGroup').Properties).not.toHaveProperty('SecurityGroupIngress');
    expect(synthesized.ofType('AWS::EC2::SecurityGroupIngress')).toEqual([]);
    const { VpcConfig } = synthesized.functionResource('sender').Properties as {
      VpcConfig: { SubnetIds: unknown[] };
    };
    for (const subnet of VpcConfig.SubnetIds.map(render)) expect(subnet).toContain('SenderSubnet');
  });

  test('are what is asked for, not the default: without it there is no network to pay for', () => {
    const plain = new Synthesized();
    expect(plain.ofType('AWS::EC2::VPC')).toEqual([]);
    expect(plain.functionResource('sender').Properties).not.toHaveProperty('VpcConfig');
  });

  test('pass the AwsSolutions rules of cdk-nag, or say why not', () => {
    const app = createApp();
    const stack = new LeaseboardStack(app, 'Leaseboard', { webhookEgress: { natEip: true } });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(stack.node.children.length).toBeGreaterThan(0);
    expect(() => app.synth()).not.toThrow();
  });
});
