import type { ReadSink } from '../document.ts';

const CUE = /^(?:(\d+):)?(\d{1,2}):(\d{2})[.,]\d{3}\s+-->\s+(?:\d+:)?\d{1,2}:\d{2}[.,]\d{3}/;

/** Text of subtitles: a number or a name, a line of times, the words. */
export const isSubtitles = (start: string): boolean =>
  /^WEBVTT\b/.test(start) || start.split(/\r\n|\n|\r/, 3).some((line, at) => at < 2 && CUE.test(line));

/** Reads subtitles (.srt, .vtt): a block for each cue, with the time it is shown at. */
export function readSubtitles(text: string, sink: ReadSink): void {
  let time = '';
  let line = 0;
  let words: string[] = [];
  const flush = () => {
    const spoken = words.join('\n').trim();
    if (time !== '' && spoken !== '') sink.text({ text: `${time} ${spoken}`, line });
    words = [];
    time = '';
  };
  for (const [at, content] of text.split(/\r\n|\n|\r/).entries()) {
    const cue = CUE.exec(content);
    if (cue) {
      flush();
      time = `${(cue[1] ?? '0').padStart(2, '0')}:${cue[2]!.padStart(2, '0')}:${cue[3]}`;
      line = at + 1;
    } else if (content.trim() === '') flush();
    else if (time !== '') words.push(plain(content));
  }
  flush();
}

/** Without marks of style; the name of a voice is kept. */
const plain = (content: string): string =>
  content
    .replace(/<v(?:\.[^\s>]*)?\s+([^>]+)>/g, '$1: ')
    .replace(/<\/?[a-z][^>]*>|\{\\[^}]*\}/gi, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&nbsp;/g, ' ')
    .replace(/&amp;/g, '&')
    .trim();
