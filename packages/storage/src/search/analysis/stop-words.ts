/** Words that carry no meaning of their own in a question. */
export const englishStopWords: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by can
  could did do does doing down during each few for from further get give had has have having he her here hers him his how i
  if in into is it its itself just let list me more most my no nor not now of off on once only or other our out over own
  please same she should show so some such tell than that the their them then there these they this those through to too
  under until up us very was we were what when where which while who whom whose why will with would you your`.split(
    /\s+/,
  ),
);

export const chineseStopWords: ReadonlySet<string> = new Set(
  `的 了 吗 呢 是 在 有 和 与 或 吧 啊 呀 嘛 也 都 就 还 被 把 对 从 到 及 其 之 请 请问 告诉 我 我们 你 你们 他 她 它 这 那 这个 那个 这些 那些
  什么 怎么 怎样 如何 为什么 为何 哪里 哪个 哪些 哪 哪儿 谁 何时 何 多少 几 是否 嗎 為什麼 什麼 怎麼 怎樣 哪裡 哪個 與 這 這個 個 个 請 請問 誰 為何 何者`.split(
    /\s+/,
  ),
);
