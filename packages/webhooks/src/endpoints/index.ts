export { createEndpoint } from './create-endpoint.ts';
export { endPreviousSecret, rotateEndpointSecret, sealedEndpointSecrets } from './endpoint-secrets.ts';
export {
  type EndpointInList,
  findEndpoint,
  listDisabledEndpoints,
  listEndpoints,
  listEndpointsChangedBy,
  listExpiringCertificates,
} from './list-endpoints.ts';
export { sendTestEvent } from './send-test-event.ts';
export { disableEndpoint, enableEndpoint, removeEndpoint, updateEndpoint } from './update-endpoint.ts';
