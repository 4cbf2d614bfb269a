/** What `cdk synth` and `cdk deploy` run. Properties of the deployment go into the last argument. */
import { App, CfnOutput } from 'aws-cdk-lib';
import { LeaseboardStack } from './stack.ts';
import { WebBoard } from './web-board.ts';

export const stack = new LeaseboardStack(new App(), 'Leaseboard', {
  description: 'Leaseboard: the task queue for a fleet of AI agents that is a kanban column',
});

// The board that people watch. Who wants the API alone leaves these lines out.
const web = new WebBoard(stack, 'Web', { leaseboard: stack.leaseboard });
new CfnOutput(stack, 'BoardUrl', { value: web.url, description: 'Where people watch the boards' });
