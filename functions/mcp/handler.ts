import { createInstance } from '../engine.ts';
import { mcpEndpoint } from './endpoint.ts';

export const handler = mcpEndpoint(createInstance());
