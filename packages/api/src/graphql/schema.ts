import './scalars.ts';
import './system.ts';
import './payments.ts';
import { builder } from './builder.ts';

/** The whole schema. */
export const schema = builder.toSchema({ sortSchema: true });
