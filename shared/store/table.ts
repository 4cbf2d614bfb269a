/**
 * The one table and its two indexes, as data: the local runtime creates it from this, infra deploys it from
 * this, and a test compares the two. What an index projects cannot be changed in place, so it is chosen here
 * once.
 */

export const LANES_INDEX = 'lanes';
export const BY_BOARD_INDEX = 'by_board';
export const TTL_ATTRIBUTE = 'ttl';

/**
 * What a claim decides on without reading the card, and nothing that a heartbeat or a comment changes: an index
 * entry is written anew, at one unit each way, whenever a projected value changes.
 * `max_runtime_ms` is there because a claim pins it: the deadline is computed before the write.
 */
export const LANES_PROJECTION = [
  'run',
  'slot',
  'tenant',
  'labels',
  'skills',
  'assignee',
  'prev_agent',
  'max_runtime_ms',
] as const;

export const BY_BOARD_PROJECTION = ['title', 'key'] as const;

/** Input of DynamoDB's CreateTable; infra builds the same table from the same constants. */
export function tableDefinition(tableName: string) {
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST' as const,
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' as const },
      { AttributeName: 'sk', AttributeType: 'S' as const },
      { AttributeName: 'lane', AttributeType: 'S' as const },
      { AttributeName: 'pos', AttributeType: 'S' as const },
      { AttributeName: 'board', AttributeType: 'S' as const },
      { AttributeName: 'created', AttributeType: 'S' as const },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' as const },
      { AttributeName: 'sk', KeyType: 'RANGE' as const },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: LANES_INDEX,
        KeySchema: [
          { AttributeName: 'lane', KeyType: 'HASH' as const },
          { AttributeName: 'pos', KeyType: 'RANGE' as const },
        ],
        Projection: { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...LANES_PROJECTION] },
      },
      {
        IndexName: BY_BOARD_INDEX,
        KeySchema: [
          { AttributeName: 'board', KeyType: 'HASH' as const },
          { AttributeName: 'created', KeyType: 'RANGE' as const },
        ],
        Projection: { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...BY_BOARD_PROJECTION] },
      },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const },
  };
}
