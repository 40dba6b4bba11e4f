import { handleExport } from '@switchyard/api/export';
import { processSwitchyard } from '@switchyard/api/process';

export const dynamic = 'force-dynamic';

export const GET = async (request: Request, { params }: { params: Promise<{ list: string }> }) =>
  handleExport(processSwitchyard(), (await params).list, request);
