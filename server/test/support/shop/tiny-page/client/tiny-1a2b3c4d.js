document.title =
  'A file that is long enough to be worth compressing, so that what is compressed is smaller than it.'
