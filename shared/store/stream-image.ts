/** Items as the table's stream carries them. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './params.ts';

export type StreamImage = Record<string, AttributeValue>;

/** @throws when it is not in DynamoDB's notation. */
export function itemOfImage(image: StreamImage): Item {
  return unmarshall(image);
}
