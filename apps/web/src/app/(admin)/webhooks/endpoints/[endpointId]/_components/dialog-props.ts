import type { EndpointRow } from '#/app/(admin)/webhooks/_components/endpoint-row.ts';

/** Properties of every dialog about an endpoint. */
export interface EndpointDialogProps {
  readonly endpoint: EndpointRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}
