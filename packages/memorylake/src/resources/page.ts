import { type Resource, ToolError } from '@atoll-mcp/core';
import type { Lake } from '../service/limits/lake.ts';

/** A page of a PDF as a picture, to see where a passage stands. Its size in points is what boxes of places are measured in. */
export const pageResource: Resource<Lake> = {
  uriTemplate: 'memory://{id}/pages/{page}.png',
  name: 'memory-page',
  title: 'A page of a PDF',
  description:
    'A page of a PDF of the lake as a picture; _meta has the number of pages and its size in points, in which places give their boxes',
  mimeType: 'image/png',
  async read({ id = '', page = '' }, { service, signal }, uri) {
    if (!/^[1-9]\d{0,5}$/.test(page)) return undefined;
    try {
      const { png, pages, width, height } = await service.drawPage(id, Number(page), signal);
      const blob = Buffer.from(png).toString('base64');
      return [{ uri, mimeType: 'image/png', blob, _meta: { width_points: width, height_points: height, pages } }];
    } catch (error) {
      // A resource either exists or not; read_memory reports the reason.
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  },
};
