/** Webhooks' part of a fan-out: one message per event and matching webhook. */
import type { FanOutStep } from './step.ts';

/** No webhook exists yet. */
export const deliveriesFor: FanOutStep = async () => new Set();
