/** The one table, from the definition that the local runtime creates it from. */
import { RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
  type Attribute,
  type GlobalSecondaryIndexPropsV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { TTL_ATTRIBUTE, tableDefinition } from '../shared/store/table.ts';

/** The name is left to CloudFormation: a table with a fixed name cannot be replaced, nor deployed twice. */
const DEFINITION = tableDefinition('named-by-cloudformation');

type KeySchema = readonly { readonly AttributeName: string; readonly KeyType: 'HASH' | 'RANGE' }[];
type IndexDefinition = (typeof DEFINITION.GlobalSecondaryIndexes)[number];

export interface BoardTableProps {
  /** What becomes of the data when the stack goes. Anything but DESTROY also sets deletion protection. */
  readonly removalPolicy: RemovalPolicy;
  /**
   * Whether the table can be restored to any second of the last 35 days.
   * @default true
   */
  readonly pointInTimeRecovery?: boolean;
  /**
   * @default - a key that AWS owns
   */
  readonly encryptionKey?: IKey;
}

export class BoardTable extends TableV2 {
  constructor(scope: Construct, id: string, props: BoardTableProps) {
    super(scope, id, {
      partitionKey: keyAttribute(DEFINITION.KeySchema, 'HASH'),
      sortKey: keyAttribute(DEFINITION.KeySchema, 'RANGE'),
      globalSecondaryIndexes: DEFINITION.GlobalSecondaryIndexes.map(indexProps),
      billing: Billing.onDemand(),
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: TTL_ATTRIBUTE,
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: props.pointInTimeRecovery ?? true,
      },
      ...(props.encryptionKey === undefined
        ? {}
        : { encryption: TableEncryptionV2.customerManagedKey(props.encryptionKey) }),
      deletionProtection: props.removalPolicy !== RemovalPolicy.DESTROY,
      removalPolicy: props.removalPolicy,
    });
  }
}

function indexProps(index: IndexDefinition): GlobalSecondaryIndexPropsV2 {
  return {
    indexName: index.IndexName,
    partitionKey: keyAttribute(index.KeySchema, 'HASH'),
    sortKey: keyAttribute(index.KeySchema, 'RANGE'),
    projectionType: ProjectionType.INCLUDE,
    nonKeyAttributes: index.Projection.NonKeyAttributes,
  };
}

function keyAttribute(schema: KeySchema, keyType: 'HASH' | 'RANGE'): Attribute {
  const key = schema.find((entry) => entry.KeyType === keyType);
  if (key === undefined) throw new Error(`The table definition has a key schema without a ${keyType} key.`);
  return { name: key.AttributeName, type: AttributeType.STRING };
}
