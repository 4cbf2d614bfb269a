import { RemovalPolicy } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { TTL_ATTRIBUTE, tableDefinition } from '../../shared/store/table.ts';
import { Synthesized } from './support/synth.ts';

const TABLE = 'AWS::DynamoDB::GlobalTable';

function replica(synthesized: Synthesized): unknown {
  return (synthesized.only(TABLE).Properties['Replicas'] as unknown[])[0];
}

describe('the deployed table', () => {
  const synthesized = new Synthesized();

  test('has the keys, attributes, indexes and projections that the local runtime creates', () => {
    const { AttributeDefinitions, BillingMode, KeySchema, GlobalSecondaryIndexes } = tableDefinition('any');

    expect(synthesized.only(TABLE).Properties).toMatchObject({
      AttributeDefinitions,
      BillingMode,
      KeySchema,
      GlobalSecondaryIndexes,
    });
  });

  test('streams both images of every change', () => {
    expect(synthesized.only(TABLE).Properties['StreamSpecification']).toEqual({
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    });
  });

  test('expires items by the attribute that the engine writes', () => {
    expect(synthesized.only(TABLE).Properties['TimeToLiveSpecification']).toEqual({
      AttributeName: TTL_ATTRIBUTE,
      Enabled: true,
    });
  });

  test('can be restored to a point in time and is protected from deletion', () => {
    expect(replica(synthesized)).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });

  test('outlives its stack', () => {
    expect(synthesized.only(TABLE)).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
    });
  });

  test('goes with its stack, unprotected, only when that is asked for', () => {
    const disposable = new Synthesized({ removalPolicy: RemovalPolicy.DESTROY });

    expect(disposable.only(TABLE)).toMatchObject({ DeletionPolicy: 'Delete' });
    expect(replica(disposable)).toMatchObject({
      DeletionProtectionEnabled: false,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });
});
