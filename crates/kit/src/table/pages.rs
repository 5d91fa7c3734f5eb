//! The pages of a column, with checks of what the decoders take for granted.

use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::page_index::offset_index::PageLocation;
use parquet::file::reader::RowGroupReader;

/// Pages of which none refers to a dictionary that is missing: the decoders panic there.
pub struct Pages {
    inner: Box<dyn PageReader>,
    has_dictionary: bool,
}

impl Pages {
    /// The pages of a column in a file of `size` bytes; `index` says where they are, if known.
    pub fn of(
        group: &dyn RowGroupReader,
        column: usize,
        index: Option<&[PageLocation]>,
        size: u64,
    ) -> Result<Pages> {
        let about = group.metadata().column(column);
        let dictionary = about.dictionary_page_offset();
        let start = dictionary.unwrap_or_else(|| about.data_page_offset());
        let end = end_of(start, about.compressed_size());
        let end = end.filter(|&end| u64::try_from(end).is_ok_and(|end| end <= size));
        let end = end.ok_or_else(|| damaged("column outside the file"))?;
        let is_outside = |page: &PageLocation| {
            let page_end = end_of(page.offset, page.compressed_page_size.into());
            page.offset < start || page_end.is_none_or(|page_end| page_end > end)
        };
        if index.is_some_and(|pages| pages.iter().any(is_outside)) {
            return Err(damaged("page outside its column"));
        }
        Ok(Pages {
            inner: group.get_column_page_reader(column)?,
            has_dictionary: false,
        })
    }
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.inner.get_next_page()?;
        match &page {
            Some(Page::DictionaryPage { .. }) => self.has_dictionary = true,
            Some(page) if uses_dictionary(page) && !self.has_dictionary => {
                return Err(damaged("missing dictionary"));
            }
            _ => {}
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.inner.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.inner.skip_next_page()
    }
}

fn uses_dictionary(page: &Page) -> bool {
    matches!(
        page.encoding(),
        Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY
    )
}

/// Where a part of a file ends; `None`: a number that no file has.
fn end_of(start: i64, length: i64) -> Option<i64> {
    let is_valid = start >= 0 && length >= 0;
    start.checked_add(length).filter(|_| is_valid)
}

fn damaged(reason: &str) -> ParquetError {
    ParquetError::General(format!("damaged file: {reason}"))
}
