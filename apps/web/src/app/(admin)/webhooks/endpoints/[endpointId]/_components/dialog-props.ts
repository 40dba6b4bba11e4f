import type { EndpointRow } from '#/app/(admin)/webhooks/_components/endpoint-badge.tsx';

/** Properties of every dialog about an endpoint. */
export interface EndpointDialogProps {
  readonly endpoint: EndpointRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}
