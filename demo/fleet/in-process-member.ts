/** A worker in this process. It vanishes by being unplugged: no answer reaches it and no timer of it fires. */
import { PLATFORM } from '../../client/index.ts';
import { unpluggable } from '../unpluggable.ts';
import { hire } from './hire.ts';
import { told, type Assignment, type Desk, type Member } from './member.ts';
import { workOff } from './work.ts';

export function inProcessMember(assignment: Assignment, desk: Desk): Member {
  const { platform, unplug } = unpluggable(PLATFORM);
  let unplugged = false;
  const worker = hire(
    assignment,
    platform,
    (job) => {
      if (desk.claimed() === 'work') return workOff(job, assignment.seed, platform);
      unplugged = true;
      unplug();
      desk.died();
      return new Promise<never>(() => {});
    },
    (event) => desk.happened(told(event)),
  );
  worker.run().catch(desk.broke);
  return {
    stop: async () => {
      if (!unplugged) await worker.stop({ graceSeconds: 0 });
    },
  };
}
