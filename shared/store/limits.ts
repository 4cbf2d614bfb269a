/** DynamoDB's own limits. Source: the service quotas of the developer guide. */
export const BATCH_GET_MAX = 100;
export const TRANSACTION_MAX = 100;
