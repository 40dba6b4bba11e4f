import { serveV1 } from '@switchyard/api/rest';
import { mount } from '../../../../../mount.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mount(serveV1);
