/** What `leaseboard/cdk` exports. */
export { Board, type BoardProps } from './board.ts';
export { Column, type QueueOptions } from './column.ts';
export { EventType } from './event-type.ts';
export { LeaseboardGrants, type GrantOptions } from './grants.ts';
export { Leaseboard } from './leaseboard.ts';
export type { LeaseboardProps } from './leaseboard-props.ts';
export { LeaseboardMetrics, type ColumnMetrics } from './metrics.ts';
export { Scope } from './scope.ts';
export { LeaseboardStack, type LeaseboardStackProps } from './stack.ts';
export { BoardTable, type BoardTableProps } from './table.ts';
export { WebBoard, type WebBoardProps, type WebBoardSignIn } from './web-board.ts';
export { Webhook, type WebhookProps } from './webhook.ts';
