/** Who acts when a deployment applies what its code says. */
import type { Caller } from '../engine.ts';

export const DEPLOYMENT: Caller = {
  tokenId: 'deployment',
  tokenName: 'deployment',
  scopes: ['admin'],
  boardId: null,
  agent: null,
};
