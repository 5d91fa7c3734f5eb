//! The pages of a column, with checks of what the decoders take for granted.

use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::RowGroupReader;

/// Pages of which none refers to a dictionary that is missing: the decoders panic there.
pub struct Pages {
    inner: Box<dyn PageReader>,
    has_dictionary: bool,
}

impl Pages {
    pub fn of(group: &dyn RowGroupReader, column: usize) -> Result<Pages> {
        let about = group.metadata().column(column);
        let dictionary = about.dictionary_page_offset();
        let start = dictionary.unwrap_or_else(|| about.data_page_offset());
        if start < 0 || about.compressed_size() < 0 {
            return Err(damaged("negative offset of a column"));
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

fn damaged(reason: &str) -> ParquetError {
    ParquetError::General(format!("damaged file: {reason}"))
}
