import { spokenBy } from '../../domain/chats/chat-time.ts';
import { parseChats } from '../../domain/chats/parse-chats.ts';
import { type ReadSink, UnreadableFile } from '../../domain/document.ts';

/** Reads chats: a block for each turn, with who said it and when. Turns count on through the chats of a file. */
export function readChat(text: string, sink: ReadSink): void {
  const chats = parseChats(text);
  if (!chats) throw new UnreadableFile('It is broken: it is not a chat');
  if (chats.length === 1) sink.title(chats[0]!.title ?? '');
  let turn = 0;
  for (const { title, turns } of chats) {
    // The title belongs to the first turn with words.
    let heading = title;
    for (const { speaker, text, time } of turns) {
      turn++;
      if (text === '') continue;
      const place = { line: turn, turn, speaker, ...(time && { time: time.iso }) };
      if (heading) sink.text({ ...place, text: heading, heading: 1 });
      heading = undefined;
      sink.text({ ...place, text: `${spokenBy(place)}${text}` });
    }
  }
}
