/**
 * A fixed address for webhooks, for receivers that only let known ones in: the sender goes out through a NAT gateway
 * of its own network, in which nothing else is. It costs what a NAT gateway costs, some $33 a month and the traffic.
 */
import { Validations } from 'aws-cdk-lib';
import { CfnEIP, IpAddresses, NatProvider, SecurityGroup, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnFunction, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

/** Room for a few hundred senders at once. */
const NETWORK = '10.0.0.0/22';

/** What Lambda does with network interfaces in the function's name; they have no ARN before they are made. */
const INTERFACE_ACTIONS = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
];

export class WebhookEgress extends Construct {
  /** The address that receivers see. */
  readonly address: string;

  constructor(scope: Construct, id: string, sender: LambdaFunction) {
    super(scope, id);
    const eip = new CfnEIP(this, 'Address', { domain: 'vpc' });
    this.address = eip.attrPublicIp;
    const vpc = new Vpc(this, 'Network', {
      ipAddresses: IpAddresses.cidr(NETWORK),
      natGateways: 1,
      natGatewayProvider: NatProvider.gateway({ eipAllocationIds: [eip.attrAllocationId] }),
      subnetConfiguration: [
        { name: 'Nat', subnetType: SubnetType.PUBLIC, mapPublicIpOnLaunch: false },
        { name: 'Sender', subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      ],
      restrictDefaultSecurityGroup: false,
    });
    Validations.of(vpc).acknowledge({
      id: 'AwsSolutions::AwsSolutions-VPC7',
      reason: 'Only the sender is in it, and it logs each delivery itself.',
    });
    const group = new SecurityGroup(this, 'Sender', {
      vpc,
      description: 'Webhooks: out to anywhere, nothing in',
    });
    const interfaces = new PolicyStatement({ actions: INTERFACE_ACTIONS, resources: ['*'] });
    const { policyDependable } = sender.grantPrincipal.addToPrincipalPolicy(interfaces);
    Validations.of(sender.role ?? sender).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason: 'Network interfaces of a function in a network have no ARN before they are made.',
    });
    const resource = sender.node.defaultChild;
    if (!(resource instanceof CfnFunction)) throw new Error('The sender is no function.');
    resource.vpcConfig = {
      securityGroupIds: [group.securityGroupId],
      subnetIds: vpc.selectSubnets({ subnetType: SubnetType.PRIVATE_WITH_EGRESS }).subnetIds,
    };
    // Lambda makes the interfaces as it makes the function, and refuses it without the permissions.
    if (policyDependable !== undefined) resource.node.addDependency(policyDependable);
  }
}
