import { appView } from '@atoll-mcp/core';
import type { TensorDirectoryService } from '../service.ts';

/** The picture of `plot_tensor`, for clients that show views. */
export const plotView = appView<TensorDirectoryService>({
  uri: 'ui://tensor-directory/plot',
  name: 'plot-view',
  title: 'Plot of a tensor',
  description: 'Shows the picture that plot_tensor drew.',
  style: '',
  show: `
  const picture = result.content.find(({ type }) => type === 'image');
  const words = sentence(result);
  if (picture) add(root, 'img', undefined, { src: 'data:' + picture.mimeType + ';base64,' + picture.data, alt: words, class: 'chart' });
  add(root, 'p', words, { class: 'hint' });`,
});
