/** ARNs as cdk-nag writes them in the ids of its findings: what is not known yet stands there by its name. */
import { Stack, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** @param resource With logical ids as `<Id>`. */
export function shownArn(scope: IConstruct, service: string, resource: string): string {
  const { partition, region, account } = Stack.of(scope);
  const shown = (value: string, name: string) => (Token.isUnresolved(value) ? `<AWS::${name}>` : value);
  const place = `${shown(region, 'Region')}:${shown(account, 'AccountId')}`;
  return `arn:${shown(partition, 'Partition')}:${service}:${place}:${resource}`;
}
