export {
  SAML_ANSWER_PATH,
  SAML_METADATA_PATH,
  serviceProviderAt,
  serviceProviderMetadata,
} from '../single-sign-on/saml/service-provider.ts';
export { hashPassword, PASSWORD_MAX, PASSWORD_MIN, PasswordQueueFullError } from '../users/passwords.ts';
export { AUTH_PATH } from './auth.ts';
export { openSignIn, type SignIn } from './open-sign-in.ts';
