/** ARNs as cdk-nag writes them in the ids of its findings: what is not known yet stands there by its name. */
import { Stack, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

export interface ShownPlace {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
}

export function shownPlace(scope: IConstruct): ShownPlace {
  const { partition, region, account } = Stack.of(scope);
  const shown = (value: string, name: string) => (Token.isUnresolved(value) ? `<AWS::${name}>` : value);
  return {
    partition: shown(partition, 'Partition'),
    region: shown(region, 'Region'),
    account: shown(account, 'AccountId'),
  };
}

/** @param resource With logical ids as `<Id>`. */
export function shownArn(scope: IConstruct, service: string, resource: string): string {
  const { partition, region, account } = shownPlace(scope);
  return `arn:${partition}:${service}:${region}:${account}:${resource}`;
}
