import { handleGraphql } from '@switchyard/api/graphql';
import { processSwitchyard } from '@switchyard/api/process';

export const dynamic = 'force-dynamic';

const handle = (request: Request) => handleGraphql(processSwitchyard(), request);

export { handle as GET, handle as POST };
