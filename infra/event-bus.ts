/** The bus that events go onto: the deployer's, or one of our own. */
import { EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';

export function eventBusFor(scope: Construct, given: IEventBus | undefined): IEventBus {
  return given ?? new EventBus(scope, 'EventBus', { description: 'Events of Leaseboard' });
}
