/** What `cdk synth` and `cdk deploy` run. Properties of the deployment go into the last argument. */
import { App } from 'aws-cdk-lib';
import { LeaseboardStack } from './stack.ts';

export const stack = new LeaseboardStack(new App(), 'Leaseboard', {
  description: 'Leaseboard: the task queue for a fleet of AI agents that is a kanban column',
});
