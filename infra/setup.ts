/** What a deployment sets up within Leaseboard itself: custom resources that the function `setup` applies. */
import { CustomResource, Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

export class Setup extends Construct {
  private readonly handler: IFunction;

  constructor(scope: Construct, id: string, handler: IFunction) {
    super(scope, id);
    this.handler = handler;
  }

  /**
   * @param kind A kind that functions/setup knows.
   * @param code What is to be there; it may hold tokens of the CDK. It travels as text, since CloudFormation would
   * make texts of its numbers.
   */
  apply(scope: Construct, id: string, kind: string, code: object): CustomResource {
    return new CustomResource(scope, id, {
      serviceToken: this.handler.functionArn,
      resourceType: `Custom::Leaseboard${kind.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
      properties: { Kind: kind, Code: Stack.of(scope).toJsonString(code) },
    });
  }
}
