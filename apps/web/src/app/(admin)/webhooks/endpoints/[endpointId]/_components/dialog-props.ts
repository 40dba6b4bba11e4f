import type { EndpointRow } from '#/app/(admin)/webhooks/_components/endpoint-row.ts';

/** What every dialog about an endpoint is given. */
export interface EndpointDialogProps {
  readonly endpoint: EndpointRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}
