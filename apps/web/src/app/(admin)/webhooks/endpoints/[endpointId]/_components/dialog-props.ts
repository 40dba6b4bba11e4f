import type { EndpointRow } from '../../../_components/webhooks-page.tsx';

/** What every dialog about an endpoint is given. */
export interface EndpointDialogProps {
  readonly endpoint: EndpointRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}
